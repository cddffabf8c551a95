<?php
// What a site does with its database. Prints what it reads, and each query that failed.
$_SERVER += ['HTTP_HOST' => 'suite.test', 'SERVER_NAME' => 'suite.test', 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET',
    'SERVER_PROTOCOL' => 'HTTP/1.1', 'REMOTE_ADDR' => '127.0.0.1'];
require getcwd() . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/taxonomy.php';
add_filter('pre_wp_mail', '__return_true');
$wpdb->suppress_errors(true);

function tell($what, $value) {
    global $wpdb;
    echo $what, ': ', json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), "\n";
    if ($wpdb->last_error) {
        echo '  error: ', $wpdb->last_error, "\n";
        $wpdb->last_error = '';
    }
}

tell('charset', [$wpdb->charset, $wpdb->collate, $wpdb->has_cap('utf8mb4_520'), $wpdb->has_cap('set_charset')]);
tell('tables', $wpdb->get_col('SHOW TABLES'));
tell('upgrades', dbDelta('all'));
tell('charsets of columns', [$wpdb->get_col_charset($wpdb->posts, 'post_title'), $wpdb->get_col_length($wpdb->posts, 'post_title')]);

$categories = [];
foreach (['Rivers', 'Lakes', 'Ünïcode 🌊'] as $name) {
    $categories[] = wp_create_category($name, $categories[0] ?? 0);
}
tell('categories', $categories);
$ids = [];
for ($i = 1; $i <= 40; $i++) {
    $ids[] = wp_insert_post([
        'post_title' => "Post $i 🌊", 'post_content' => str_repeat("Water number $i flows. ", $i) . "O'Reilly \\ \"quoted\"",
        'post_status' => $i % 5 ? 'publish' : 'draft', 'post_author' => 1, 'post_date' => sprintf('2024-%02d-%02d 10:00:00', 1 + $i % 12, 1 + $i % 28),
        'post_category' => [$categories[$i % 3]], 'tags_input' => ['even' . $i % 2, 'third' . $i % 3],
        'meta_input' => ['depth' => $i * 10, 'serialized' => ['a' => $i, 'b' => [true, null, 1.5]]],
    ]);
}
tell('posts', $ids);
wp_update_post(['ID' => $ids[3], 'post_title' => 'Changed', 'post_content' => 'changed twice']);
tell('revisions', count(wp_get_post_revisions($ids[3])));
wp_trash_post($ids[4]);
wp_delete_post($ids[5], true);
tell('statuses', wp_count_posts());

foreach ([['s' => 'number 7'], ['s' => "O'Reilly"], ['category_name' => 'lakes'], ['tag' => 'even1'], ['year' => 2024, 'monthnum' => 3],
    ['meta_key' => 'depth', 'orderby' => 'meta_value_num', 'order' => 'DESC'],
    ['meta_query' => [['key' => 'depth', 'value' => [100, 200], 'compare' => 'BETWEEN', 'type' => 'NUMERIC']]],
    ['tax_query' => ['relation' => 'AND', ['taxonomy' => 'category', 'field' => 'slug', 'terms' => ['rivers']],
        ['taxonomy' => 'post_tag', 'field' => 'slug', 'terms' => ['third0'], 'operator' => 'NOT IN']]],
    ['date_query' => [['after' => '2024-06-01', 'before' => '2024-09-30']]], ['post_status' => 'any', 'posts_per_page' => 3, 'paged' => 4],
    ['post__in' => array_slice($ids, 10, 5), 'orderby' => 'post__in'], ['author' => 1, 'offset' => 30, 'posts_per_page' => 5]] as $arguments) {
    $query = new WP_Query($arguments + ['ignore_sticky_posts' => true]);
    tell('query ' . json_encode($arguments), [$query->found_posts, $query->max_num_pages, wp_list_pluck($query->posts, 'post_title')]);
}
tell('meta', get_post_meta($ids[7], 'serialized', true));
tell('terms', array_map(fn($t) => [$t->name, $t->count], get_terms(['taxonomy' => ['category', 'post_tag'], 'hide_empty' => false, 'orderby' => 'count'])));

$comment = wp_insert_comment(['comment_post_ID' => $ids[0], 'comment_content' => 'First! 😀', 'comment_author' => 'x', 'comment_date' => '2024-01-01 00:00:00']);
wp_insert_comment(['comment_post_ID' => $ids[0], 'comment_parent' => $comment, 'comment_content' => 'reply', 'comment_date' => '2024-01-02 00:00:00']);
tell('comments', [get_comment_count($ids[0]), wp_list_pluck(get_comments(['post_id' => $ids[0], 'hierarchical' => 'flat']), 'comment_content')]);

$user = wp_create_user('editor', 'another password', 'editor@suite.test');
(new WP_User($user))->set_role('editor');
tell('users', [$user, count_users(), wp_list_pluck(get_users(['role' => 'editor']), 'user_login'), get_user_by('email', 'editor@suite.test')->ID]);
tell('login', wp_authenticate('editor', 'another password') instanceof WP_User);
tell('a wrong password', wp_authenticate('editor', 'no')->get_error_code());

update_option('suite_option', ['list' => range(1, 50)]);
wp_cache_flush();
tell('option', count(get_option('suite_option')['list']));
set_transient('suite_transient', 'kept', 3600);
delete_option('suite_option');
wp_cache_flush();
tell('gone', [get_option('suite_option', 'none'), get_transient('suite_transient')]);
wp_schedule_single_event(2000000000, 'suite_event', [1]);
tell('scheduled', wp_next_scheduled('suite_event', [1]));
delete_expired_transients(true);

$wpdb->insert($wpdb->postmeta, ['post_id' => 1, 'meta_key' => 'raw', 'meta_value' => "bin\0ary"]);
tell('insert id', $wpdb->insert_id > 0);
tell('affected', $wpdb->query("UPDATE $wpdb->postmeta SET meta_value = 'y' WHERE meta_key = 'raw'"));
tell('the same once more', $wpdb->query("UPDATE $wpdb->postmeta SET meta_value = 'y' WHERE meta_key = 'raw'"));
tell('an error', $wpdb->query("SELECT nothing FROM $wpdb->posts"));
tell('calculated rows', [$wpdb->get_col("SELECT SQL_CALC_FOUND_ROWS ID > 0 FROM $wpdb->posts LIMIT 2"), $wpdb->get_var('SELECT FOUND_ROWS()')]);
tell('a column more', dbDelta("CREATE TABLE {$wpdb->prefix}suite (\n id bigint(20) NOT NULL auto_increment,\n name varchar(50) NOT NULL,\n PRIMARY KEY  (id)\n) " . $wpdb->get_charset_collate()));
tell('changed', dbDelta("CREATE TABLE {$wpdb->prefix}suite (\n id bigint(20) NOT NULL auto_increment,\n name varchar(99) NOT NULL,\n more int(11),\n PRIMARY KEY  (id),\n KEY name (name)\n) " . $wpdb->get_charset_collate()));
tell('its columns', $wpdb->get_results("DESCRIBE {$wpdb->prefix}suite", ARRAY_N));
foreach (['posts', 'postmeta', 'terms', 'term_relationships', 'comments', 'users', 'usermeta', 'options'] as $table) {
    tell("rows of $table", $wpdb->get_var("SELECT COUNT(*) FROM {$wpdb->$table}"));
}
