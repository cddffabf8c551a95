/**
 * A proxy that works for hours while networks and databases fail, and what it takes meanwhile:
 * {@link io.anabranch.app.soak.SoakIT}.
 */
@NullMarked
package io.anabranch.app.soak;

import org.jspecify.annotations.NullMarked;
