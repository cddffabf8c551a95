/** Tests of conversions. */
@NullMarked
package io.anabranch.app.convert;

import org.jspecify.annotations.NullMarked;
