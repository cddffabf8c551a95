/**
 * Statements that change rows or tables on several data sources.
 *
 * <p>Start at {@link io.anabranch.backend.execute.change.ChangeRun}. Imports {@code
 * backend.execute.source}, {@code rows} and {@code read}.
 */
@NullMarked
package io.anabranch.backend.execute.change;

import org.jspecify.annotations.NullMarked;
