@NullMarked
package io.anabranch.rules.lexer;

import org.jspecify.annotations.NullMarked;
