#!/usr/bin/env bash
# WordPress (Debian's package): installation, posts, taxonomies, search, comments, users, options, scheduled events.
#
# usage: run.sh HOST PORT USER PASSWORD DATABASE; environment: SUITE_DIR
# database: tools
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../empty.sh"
need /usr/share/wordpress/wp-load.php wordpress
need php php-cli
empty "$5"
rm -rf "$SUITE_DIR"
mkdir -p "$SUITE_DIR"
cp -rL /usr/share/wordpress "$SUITE_DIR/site" 2>/dev/null
cat >"$SUITE_DIR/site/wp-config.php" <<PHP
<?php
define('DB_NAME', '$5'); define('DB_USER', '$3'); define('DB_PASSWORD', '$4'); define('DB_HOST', '$1:$2');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('SAVEQUERIES', true);
define('WP_CONTENT_DIR', '$SUITE_DIR/site/wp-content');
define('AUTH_KEY', 'a'); define('SECURE_AUTH_KEY', 'b'); define('LOGGED_IN_KEY', 'c'); define('NONCE_KEY', 'd');
define('AUTH_SALT', 'e'); define('SECURE_AUTH_SALT', 'f'); define('LOGGED_IN_SALT', 'g'); define('NONCE_SALT', 'h');
\$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
PHP
cd "$SUITE_DIR/site" || exit 1
php -d display_errors=1 -d error_reporting=8191 "$here/install.php" && php -d display_errors=1 "$here/cases.php"
