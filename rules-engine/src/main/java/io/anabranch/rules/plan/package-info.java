@NullMarked
package io.anabranch.rules.plan;

import org.jspecify.annotations.NullMarked;
