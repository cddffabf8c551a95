/**
 * What can be said of a configuration before it is in force: {@code InstalledAlgorithms} makes what
 * reads it, {@code StartChecks} looks at what a start would stumble over, {@code DryRun} at what
 * the databases have of it.
 *
 * <p>Used by the start, by changes of a running proxy ({@code app.live}) and by the command line
 * ({@code app.cli}). Imports floors below.
 */
@NullMarked
package io.anabranch.app.check;

import org.jspecify.annotations.NullMarked;
