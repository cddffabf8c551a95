/**
 * What Druid's wall says of a text: whether somebody has put SQL into it who should not. Start with
 * {@code InjectionWall}. May import Druid and nothing else.
 */
@NullMarked
package io.anabranch.rules.sql.wall;

import org.jspecify.annotations.NullMarked;
