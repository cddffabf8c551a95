/** The documentation's examples, taken out of the pages and tried. */
@org.jspecify.annotations.NullMarked
package io.anabranch.app.documentation;
