/**
 * The command line of operators, {@code bin/anabranch}: start at {@link
 * io.anabranch.app.cli.Anabranch}, which knows the commands; each is a class of its own.
 *
 * <p>The only user of picocli. What works offline reads files alone; the rest asks the admin port
 * ({@code AdminClient}) or is a client of the proxy ({@code SqlCommand}). One thread.
 */
@NullMarked
package io.anabranch.app.cli;

import org.jspecify.annotations.NullMarked;
