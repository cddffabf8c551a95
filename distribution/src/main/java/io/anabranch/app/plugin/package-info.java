/**
 * Code of others in {@code ext-lib/}: {@link io.anabranch.app.plugin.PlugIns} finds what implements
 * an extension point, each plug-in over class files of its own.
 *
 * <p>Asked while a configuration is read. Imports nothing of the house.
 */
@NullMarked
package io.anabranch.app.plugin;

import org.jspecify.annotations.NullMarked;
