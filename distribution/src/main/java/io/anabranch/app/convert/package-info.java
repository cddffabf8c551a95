/**
 * {@code bin/anabranch convert}: configurations of other proxies become the YAML of this one.
 * {@code MycatConversion} and {@code ProxySqlConversion} are where to start. What has no like is a
 * {@code Leftover}, with its place and the reason; nothing is left out in silence. May import the
 * JDK's XML reader, nothing else of the house. One thread, that of the command.
 */
@NullMarked
package io.anabranch.app.convert;

import org.jspecify.annotations.NullMarked;
