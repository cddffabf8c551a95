/**
 * Many sessions at a time, each of which must see nothing but its own: {@link
 * io.anabranch.app.isolation.IsolationIT}.
 */
@NullMarked
package io.anabranch.app.isolation;

import org.jspecify.annotations.NullMarked;
