@NullMarked
package io.anabranch.rules.algorithm;

import org.jspecify.annotations.NullMarked;
