@NullMarked
package io.anabranch.backend.topology;

import org.jspecify.annotations.NullMarked;
