/**
 * The program: start with {@link io.anabranch.app.Main}, then {@link io.anabranch.app.Assembly},
 * which builds the whole object graph by hand in one method.
 *
 * <p>May import everything; nothing imports it. The only user of Micrometer and of {@code
 * ServiceLoader}. The main thread builds and returns; the event loops keep the process alive; the
 * shutdown hook drains and ends it.
 */
@NullMarked
package io.anabranch.app;

import org.jspecify.annotations.NullMarked;
