@NullMarked
package io.anabranch.backend.relay;

import org.jspecify.annotations.NullMarked;
