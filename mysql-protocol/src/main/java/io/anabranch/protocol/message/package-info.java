@NullMarked
package io.anabranch.protocol.message;

import org.jspecify.annotations.NullMarked;
