@NullMarked
package io.anabranch.backend.transaction;

import org.jspecify.annotations.NullMarked;
