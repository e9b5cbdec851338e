import { lazyScreen } from '@/lib/lazy-screen'
import * as loads from '@/app/loads'

/** The parts of the app that are loaded on demand. */
export const Data = lazyScreen(loads.data)
export const Shell = lazyScreen(loads.shell)
export const VisitorFrame = lazyScreen(loads.visitorFrame)
export const SignInToSee = lazyScreen(loads.signInToSee)
export const Unbuilt = lazyScreen(loads.unbuilt)
export const HomeScreen = lazyScreen(loads.home)
export const ConsentScreen = lazyScreen(loads.consent)
export const SecondFactorScreen = lazyScreen(loads.secondFactor)
export const SignInScreen = lazyScreen(loads.signIn)
