/**
 * Columns that are there already become encrypted ones: {@code bin/anabranch encrypt}.
 *
 * <p>Start at {@link io.anabranch.app.encrypt.ColumnEncryption}. Talks to the databases over
 * connections of its own, one after the other; no proxy has to run.
 */
@NullMarked
package io.anabranch.app.encrypt;

import org.jspecify.annotations.NullMarked;
