/**
 * Limits in force: who has taken how much of each, and who waits. Statements ask once they are to
 * go to databases, logins when they have been granted.
 */
@NullMarked
package io.anabranch.frontend.limit;

import org.jspecify.annotations.NullMarked;
