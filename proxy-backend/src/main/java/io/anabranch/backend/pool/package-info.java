@NullMarked
package io.anabranch.backend.pool;

import org.jspecify.annotations.NullMarked;
