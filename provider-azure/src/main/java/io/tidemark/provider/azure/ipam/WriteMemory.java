package io.tidemark.provider.azure.ipam;

import io.tidemark.metrics.InterfaceMetrics;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.OperatorNotices;

/**
 * What the writes of one machine remember of each other.
 *
 * @param machine whose writes they are
 * @param names which configurations are ours
 * @param times how long operations of its kind of machine take
 * @param ghosts what failed writes of this machine left
 * @param notices what a person should know
 */
record WriteMemory(
    InstanceId machine,
    ConfigurationNames names,
    OperationTimes times,
    Ghosts ghosts,
    InterfaceMetrics metrics,
    OperatorNotices notices) {}
