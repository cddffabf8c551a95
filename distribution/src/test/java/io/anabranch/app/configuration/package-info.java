/**
 * Configurations that change under a running proxy: administration in SQL, files that are saved,
 * reload by signal, port and watch. Start with {@code ReloadIT}, for the statements with {@code
 * AdministrationIT}.
 */
@NullMarked
package io.anabranch.app.configuration;

import org.jspecify.annotations.NullMarked;
