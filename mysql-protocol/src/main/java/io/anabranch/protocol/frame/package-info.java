@NullMarked
package io.anabranch.protocol.frame;

import org.jspecify.annotations.NullMarked;
