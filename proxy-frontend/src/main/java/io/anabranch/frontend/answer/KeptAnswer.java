package io.anabranch.frontend.answer;

import io.anabranch.frontend.answer.TableVersions.Stamp;

/**
 * The answer to a read as its client got it, from the first packet to the last.
 *
 * @param packets with their headers; not modified
 * @param rows of the result
 * @param foundRows what FOUND_ROWS() says behind it
 * @param stamp of the tables that it is about, from before it was read
 */
public record KeptAnswer(byte[] packets, long rows, long foundRows, Stamp stamp) {}
