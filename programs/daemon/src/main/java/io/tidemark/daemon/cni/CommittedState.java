package io.tidemark.daemon.cni;

import io.tidemark.file.GroupCommit;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.List;

/** The {@link AgentState} that is on disk. Called by one thread at a time. */
final class CommittedState implements GroupCommit.Ledger<StateChange> {
  private final Duration pause;
  private final TimeSource time;
  private AgentState committed;

  CommittedState(AgentState committed, Duration pause, TimeSource time) {
    this.committed = committed;
    this.pause = pause;
    this.time = time;
  }

  @Override
  public byte[] contentWith(List<StateChange> changes) {
    return AgentStateJson.print(next(changes));
  }

  @Override
  public void committed(List<StateChange> changes) {
    committed = next(changes);
  }

  private AgentState next(List<StateChange> changes) {
    return committed.with(changes).withoutCooled(time.epochMillis() - pause.toMillis() + 1);
  }
}
