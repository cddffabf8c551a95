@NullMarked
package io.anabranch.protocol.type;

import org.jspecify.annotations.NullMarked;
