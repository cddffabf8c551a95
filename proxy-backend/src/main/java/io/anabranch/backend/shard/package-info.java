@NullMarked
package io.anabranch.backend.shard;

import org.jspecify.annotations.NullMarked;
