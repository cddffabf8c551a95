@NullMarked
package io.anabranch.backend.execute;

import org.jspecify.annotations.NullMarked;
