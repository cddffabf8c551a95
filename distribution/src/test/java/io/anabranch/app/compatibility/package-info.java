/**
 * What {@code docs/compatibility.md} says, written and checked by {@code CompatibilityIT}, where to
 * start; and drivers and tools of others.
 */
@NullMarked
package io.anabranch.app.compatibility;

import org.jspecify.annotations.NullMarked;
