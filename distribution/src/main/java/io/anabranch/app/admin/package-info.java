/**
 * The admin port's pages beyond metrics and health, each a class that makes JSON of what it is
 * given. Start at any of them.
 *
 * <p>Imports floors below; {@code Assembly} makes them. They run on virtual threads of {@code
 * frontend.admin}.
 */
@NullMarked
package io.anabranch.app.admin;

import org.jspecify.annotations.NullMarked;
