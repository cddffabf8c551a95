/**
 * Queries over several data sources, and those that a database finishes over copies of rows.
 *
 * <p>Start at {@link io.anabranch.backend.execute.read.RouteRun} and {@link
 * io.anabranch.backend.execute.read.StageRun}. Imports {@code backend.execute.source}, {@code
 * backend.merge} and {@code backend.stage}.
 */
@NullMarked
package io.anabranch.backend.execute.read;

import org.jspecify.annotations.NullMarked;
