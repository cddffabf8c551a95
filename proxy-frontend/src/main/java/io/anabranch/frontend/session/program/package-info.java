/**
 * What is known of the stored programs of a database: which of them a statement's functions and
 * triggers may run.
 *
 * <p>Start with {@link io.anabranch.frontend.session.program.StoredPrograms}. Thread-safe; shared
 * by the sessions of a database.
 */
@NullMarked
package io.anabranch.frontend.session.program;

import org.jspecify.annotations.NullMarked;
