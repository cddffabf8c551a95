@NullMarked
package io.anabranch.rules.value;

import org.jspecify.annotations.NullMarked;
