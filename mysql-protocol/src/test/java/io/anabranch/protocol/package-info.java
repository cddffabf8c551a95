/** What the protocol's tests share: golden packets. */
@NullMarked
package io.anabranch.protocol;

import org.jspecify.annotations.NullMarked;
