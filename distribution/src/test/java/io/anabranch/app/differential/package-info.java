/**
 * The differential suite: generated statements over generated rows must get the same answers
 * through the proxy as from one plain database.
 *
 * <p>Start with {@code DifferentialIT}. {@code Sample} makes tables and rows, {@code Grammar} the
 * statements, {@code Arena} is one layout's pair of databases, {@code Verdict} compares, {@code
 * Shrinking} makes a failure small. Failures that were mended stay in {@code
 * src/test/resources/differential}, one file each.
 */
package io.anabranch.app.differential;
