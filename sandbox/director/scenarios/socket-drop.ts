import { quiet } from '../fault-windows.ts';
import { type FaultWindow, MINUTE, type Scenario, SECOND } from '../scenario.ts';

const cut = (at: number): FaultWindow => ({
  from: at,
  to: at,
  what: 'The connections are cut',
  fault: { kind: 'sockets cut' },
});

const refresh = (at: number): FaultWindow => ({
  from: at,
  to: at,
  what: 'Slack asks for new connections',
  fault: { kind: 'sockets refreshed' },
});

export const socketDrop: Scenario = {
  name: 'socket-drop',
  title: 'Socket drop',
  description:
    'For two minutes the bot’s connections to Slack are cut again and again, and once refreshed in an orderly way.',
  lookFor:
    '“Notif is not connected” for a moment, then it is again. A command typed meanwhile is answered once; at a refresh nothing is missed at all.',
  lastsMs: 2 * MINUTE,
  alone: false,
  plan: (random) => {
    const within = (from: number, to: number) => random.between(from, to) * SECOND;
    const throughout = quiet('Connections break now and then', { from: 0, to: 2 * MINUTE });
    return [
      throughout,
      cut(0),
      cut(within(20, 30)),
      refresh(within(45, 60)),
      cut(within(75, 90)),
      cut(within(100, 115)),
    ];
  },
};
