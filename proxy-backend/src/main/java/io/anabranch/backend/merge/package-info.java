@NullMarked
package io.anabranch.backend.merge;

import org.jspecify.annotations.NullMarked;
