@NullMarked
package io.anabranch.rules.error;

import org.jspecify.annotations.NullMarked;
