@NullMarked
package io.anabranch.rules.model;

import org.jspecify.annotations.NullMarked;
