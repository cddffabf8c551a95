/**
 * What operators see: the schema {@code anabranch}, the slow and the audit log, dashboards and
 * alerts. Start with {@code StatisticsIT}. The metrics themselves are in {@code MetricsTest}.
 */
@NullMarked
package io.anabranch.app.observation;

import org.jspecify.annotations.NullMarked;
