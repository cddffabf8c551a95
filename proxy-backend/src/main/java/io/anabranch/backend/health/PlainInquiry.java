package io.anabranch.backend.health;

import io.anabranch.backend.health.Asker.AskException;
import io.anabranch.backend.topology.MemberReport;

/** Whether a data source in no group answers: whom it replicates from is nobody's business. */
final class PlainInquiry implements Inquiry {

  @Override
  public MemberReport ask(Asker asker) throws AskException {
    long asked = System.nanoTime();
    String version =
        Inquiry.text(Inquiry.first(asker.ask("SELECT @@version AS version")), "version");
    return new MemberReport(asked, version, "", false, null, MemberReport.UNKNOWN_LAG, null, false);
  }
}
