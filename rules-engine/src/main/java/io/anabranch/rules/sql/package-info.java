@NullMarked
package io.anabranch.rules.sql;

import org.jspecify.annotations.NullMarked;
