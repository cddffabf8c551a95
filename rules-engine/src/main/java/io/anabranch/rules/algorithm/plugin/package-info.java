/**
 * What stands between the proxy and code of plug-ins: {@link
 * io.anabranch.rules.algorithm.plugin.TypeCatalogue} has the types that configurations name, {@link
 * io.anabranch.rules.algorithm.plugin.PlugInGuard} ends the statement alone that runs into what a
 * plug-in throws. Built-ins are not guarded.
 *
 * <p>Imports {@code rules.algorithm}, {@code rules.value} and {@code rules.error}. What is here is
 * asked by all threads, event loops among them.
 */
@NullMarked
package io.anabranch.rules.algorithm.plugin;

import org.jspecify.annotations.NullMarked;
