@NullMarked
package io.anabranch.rules.planner;

import org.jspecify.annotations.NullMarked;
