package io.anabranch.app.tpcc;

/**
 * How much data there is, and how often transactions leave their warehouse.
 *
 * @param warehouses with ten districts each
 * @param customers per district, as many orders at first; the standard's are 3000
 * @param items in the catalogue and in each warehouse's stock; the standard's are 100000
 * @param remoteLines of 1000 order lines that another warehouse supplies; the standard's are 10
 * @param remotePayments of 100 payments by another warehouse's customer; the standard's are 15
 */
public record Scale(int warehouses, int customers, int items, int remoteLines, int remotePayments) {

  static final int DISTRICTS = 10;

  /** Orders up to this one are delivered at first: seven of ten, as in the standard. */
  int delivered() {
    return customers * 7 / 10;
  }
}
