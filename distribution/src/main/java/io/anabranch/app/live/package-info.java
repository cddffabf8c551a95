/**
 * The logical databases of a running proxy, and how a changed configuration takes their place.
 *
 * <p>Start at {@link io.anabranch.app.live.LiveConfiguration}. {@link
 * io.anabranch.app.live.RunningDatabase} is one database with what serves it; {@link
 * io.anabranch.app.live.Departure} closes what is not needed any more when nobody uses it. May
 * import the floors below, nothing of {@code app}.
 */
@NullMarked
package io.anabranch.app.live;

import org.jspecify.annotations.NullMarked;
