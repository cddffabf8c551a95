@NullMarked
package io.anabranch.backend.jdbc;

import org.jspecify.annotations.NullMarked;
