@NullMarked
package io.anabranch.rules.config;

import org.jspecify.annotations.NullMarked;
