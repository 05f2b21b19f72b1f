package io.tidemark.daemon.cni;

import io.tidemark.file.GroupCommit;
import java.util.List;

/** The {@link AgentState} that is on disk. Called by one thread at a time. */
final class AgentLedger implements GroupCommit.Ledger<StateChange> {
  private AgentState committed;

  AgentLedger(AgentState committed) {
    this.committed = committed;
  }

  @Override
  public byte[] contentWith(List<StateChange> changes) {
    return AgentStateJson.print(committed.with(changes));
  }

  @Override
  public void committed(List<StateChange> changes) {
    committed = committed.with(changes);
  }
}
