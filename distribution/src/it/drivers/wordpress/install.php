<?php
// Installs a site as wp-admin/install.php does.
$_SERVER += ['HTTP_HOST' => 'suite.test', 'SERVER_NAME' => 'suite.test', 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET',
    'SERVER_PROTOCOL' => 'HTTP/1.1', 'REMOTE_ADDR' => '127.0.0.1'];
define('WP_INSTALLING', true);
require getcwd() . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');
$result = wp_install('Suite', 'admin', 'admin@suite.test', true, '', 'a password');
echo 'installed, user ', $result['user_id'], "\n";
