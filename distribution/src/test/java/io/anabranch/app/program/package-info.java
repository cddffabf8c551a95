/**
 * Stored programs and what they do to the session that calls them: procedures, functions, triggers,
 * aggregates, on MariaDB and on MySQL. Start with {@code ProgramsIT}.
 */
@NullMarked
package io.anabranch.app.program;

import org.jspecify.annotations.NullMarked;
