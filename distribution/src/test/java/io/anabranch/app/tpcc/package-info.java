/**
 * TPC-C's tables, data, five transactions and consistency conditions, at any scale and without
 * think times. It measures nothing that may be called by the benchmark's name.
 *
 * <p>Start with {@code Terminals}, which runs clients over one connection each; {@code
 * Transactions} has the statements of the five transactions, {@code Population} makes the data,
 * {@code Conditions} tells what is wrong in the end. Threads: one for each terminal.
 *
 * <p>See <a href="https://www.tpc.org/tpc_documents_current_versions/pdf/tpc-c_v5.11.0.pdf">TPC
 * Benchmark C, revision 5.11</a>.
 */
@NullMarked
package io.anabranch.app.tpcc;

import org.jspecify.annotations.NullMarked;
