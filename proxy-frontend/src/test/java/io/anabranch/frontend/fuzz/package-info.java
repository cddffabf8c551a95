/**
 * What a coverage-guided fuzzer gives bytes to, and the corpora that every build tries: see {@code
 * .ci/fuzz}. Targets of package-private types stand beside these.
 */
@NullMarked
package io.anabranch.frontend.fuzz;

import org.jspecify.annotations.NullMarked;
