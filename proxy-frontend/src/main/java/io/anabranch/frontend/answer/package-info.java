/**
 * Answers that more than one session gets: kept for a time, or waited for while another session
 * reads the same. Start at {@link io.anabranch.frontend.answer.KeptAnswers}; what makes them go is
 * {@link io.anabranch.frontend.answer.TableVersions}. Imports settings and memory of the backend.
 * Used on all event loops, and on the virtual threads of the merge lane.
 */
@NullMarked
package io.anabranch.frontend.answer;

import org.jspecify.annotations.NullMarked;
