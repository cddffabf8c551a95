package io.anabranch.rules.model;

/**
 * Where a part of a logical table lives.
 *
 * @param dataSource data source or read/write group
 * @param table actual table
 */
public record DataNode(String dataSource, String table) {}
